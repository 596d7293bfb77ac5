"""A run of every project every night, each a task of its own on any worker. For Apache Airflow 3.

Every Airflow worker needs Recount, the AWS SDK and DuckDB's httpfs (docs/how-to/scale.md), the pipeline file, and the credentials of
the store in its environment. The pool `recount` has as many slots as runs may work at once. The connection
`recount_service` has the service's address as host and the key as password.
"""

import pendulum
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

LAKE = "s3://studies/lake"
PROJECTS = ["Listen42", "Motion7"]

with DAG(
    dag_id="recount",
    schedule="0 2 * * *",
    start_date=pendulum.datetime(2026, 1, 1, tz="Europe/Berlin"),
    catchup=False,
    max_active_runs=1,
):
    # Exit codes 1 and 2 fail the task too: a person has to look at a number. A failed run is not repeated, since
    # `recount run` has tried each request five times.
    BashOperator.partial(
        task_id="recount",
        pool="recount",
        retries=0,
        env={
            "RECOUNT_BASE_URL": "{{ conn.recount_service.host }}",
            "RECOUNT_API_KEY": "{{ conn.recount_service.password }}",
            "RECOUNT_REPORTS": "/var/lib/recount/reports/{project}",
        },
        append_env=True,
    ).expand(
        bash_command=[
            f"recount run /etc/recount/nightly.yaml --project {project} --lake {LAKE} -q" for project in PROJECTS
        ]
    )
