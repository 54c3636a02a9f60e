"""The edge to Arrow: tables in, tables out, and files of them."""

from tenbo.batch.arrow.run import BatchError, Progress, Summary, run_batch
from tenbo.batch.arrow.scorer import Scorer

__all__ = ["BatchError", "Progress", "Scorer", "Summary", "run_batch"]
