"""What Django's admin does not offer: a schedule names any function, and the worker calls it."""

from django.contrib import admin
from django_q.models import OrmQ, Schedule

admin.site.unregister([Schedule, OrmQ])
