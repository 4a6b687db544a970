from django.db import migrations

NAME = "catch up with vectors"


def add_schedule(apps, schema_editor):
    schedule = apps.get_model("django_q", "Schedule")
    schedule.objects.get_or_create(
        name=NAME,
        defaults={
            "func": "indexing.jobs.catch_up_vectors",
            "schedule_type": "I",  # every `minutes` minutes
            "minutes": 1,
            "repeats": -1,
        },
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("indexing", "0006_vector_sets"), ("django_q", "0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more")]
    operations = [migrations.RunPython(add_schedule, remove_schedule)]
