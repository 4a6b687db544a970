import django.contrib.postgres.indexes
from django.db import migrations


class Migration(migrations.Migration):
    """Only how long the waiting list of the index may grow: it is not built anew."""

    dependencies = [("indexing", "0011_findings_of_a_sort")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER INDEX chunk_terms SET (gin_pending_list_limit = 65536)",
                    "ALTER INDEX chunk_terms SET (gin_pending_list_limit = 8192)",
                )
            ],
            state_operations=[
                migrations.RemoveIndex(model_name="chunk", name="chunk_terms"),
                migrations.AddIndex(
                    model_name="chunk",
                    index=django.contrib.postgres.indexes.GinIndex(
                        fastupdate=True,
                        fields=["terms"],
                        gin_pending_list_limit=65_536,
                        name="chunk_terms",
                    ),
                ),
            ],
        )
    ]
