from django.db import migrations

NAME = "add up model calls"


def add_schedule(apps, schema_editor):
    schedule = apps.get_model("django_q", "Schedule")
    schedule.objects.get_or_create(
        name=NAME,
        defaults={
            "func": "compliance.calls.jobs.add_up_days",
            "schedule_type": "H",
            "repeats": -1,
        },
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("compliance", "0005_sums_of_days"),
        ("django_q", "0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more"),
    ]
    operations = [migrations.RunPython(add_schedule, remove_schedule)]
