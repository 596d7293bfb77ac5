"""An export by three workers every night, then the models and the audit. For Apache Airflow 3.

Every Airflow worker needs Recount, the AWS SDK and DuckDB's httpfs (docs/scale.md), and the credentials of the store in
its environment. The pool `recount` has a slot for each worker. The connection `recount_service` has the service's address as host and the key as password.
"""

from datetime import timedelta

import pendulum
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

WORKERS = 3
LAKE = "s3://studies/lake"
PROJECT = "Listen42"

with DAG(
    dag_id="recount",
    schedule="0 2 * * *",
    start_date=pendulum.datetime(2026, 1, 1, tz="Europe/Berlin"),
    catchup=False,
    # The next night waits, since it continues the snapshot of this one.
    max_active_runs=1,
    default_args={
        "env": {
            "RECOUNT_BASE_URL": "{{ conn.recount_service.host }}",
            "RECOUNT_API_KEY": "{{ conn.recount_service.password }}",
        },
        "append_env": True,
    },
):
    # One that has read its share waits for the others.
    export = BashOperator.partial(
        task_id="export",
        pool="recount",
        # A retry takes over a lost worker's share and reads what is missing of it.
        retries=3,
        retry_delay=timedelta(minutes=1),
    ).expand(
        bash_command=[
            f"recount export --lake {LAKE} --project {PROJECT} --worker {k}/{WORKERS} --round '{{{{ run_id }}}}'"
            for k in range(1, WORKERS + 1)
        ]
    )
    transform = BashOperator(
        task_id="transform",
        bash_command=f"recount transform --lake {LAKE} --project {PROJECT}",
    )
    # Exit code 1 or 2 fails the task: a person has to look at a number.
    audit = BashOperator(
        task_id="audit",
        bash_command=f"recount audit --lake {LAKE} --project {PROJECT}",
    )
    export >> transform >> audit
