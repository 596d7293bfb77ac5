"""Prints the tasks of a DAG for Airflow 3 in their order as JSON, without Airflow: stand-ins know the arguments it takes."""

import json
import sys
import types
from datetime import datetime

of_dag = {"dag_id", "schedule", "start_date", "catchup", "max_active_runs"}
of_task = {"task_id", "bash_command", "env", "append_env", "pool", "retries", "retry_delay"}
tasks = []


def check(known, given):
    unknown = set(given) - known
    if unknown:
        raise TypeError(f"Airflow has no argument {', '.join(sorted(unknown))}")


class DAG:
    def __init__(self, **given):
        check(of_dag, given)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class BashOperator:
    def __init__(self, **given):
        check(of_task, given)
        line = given["bash_command"]
        tasks.append({"task_id": given["task_id"], "bash_command": line if isinstance(line, list) else [line]})

    @classmethod
    def partial(cls, **given):
        check(of_task, given)
        return types.SimpleNamespace(expand=lambda **more: cls(**given, **more))


def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(content)


for package in ["airflow", "airflow.providers", "airflow.providers.standard", "airflow.providers.standard.operators"]:
    module(package)
module("airflow.sdk", DAG=DAG)
module("airflow.providers.standard.operators.bash", BashOperator=BashOperator)
module("pendulum", datetime=lambda *args, tz: datetime(*args))

with open(sys.argv[1]) as file:
    exec(compile(file.read(), sys.argv[1], "exec"), {"__name__": "dag"})
json.dump(tasks, sys.stdout)
