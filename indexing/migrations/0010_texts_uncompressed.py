"""Texts are kept as they are: unpacking them took longer than searching them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("indexing", "0009_search_at_size")]

    operations = [
        # Texts that are there stay packed until they are written again, and are read all the same.
        migrations.RunSQL(
            "ALTER TABLE indexing_content ALTER COLUMN text SET STORAGE EXTERNAL",
            "ALTER TABLE indexing_content ALTER COLUMN text SET STORAGE EXTENDED",
        ),
    ]
