"""What the machine is, and what a batch may take of it."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from math import floor, log2
from pathlib import Path

import torch

SHARE = 0.5  # of the free memory: what is counted is not all that is there at once
ON_CPU = 2.0  # GiB


def machine() -> str:
    """The processor, its cores, and what numbers are made with."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, torch {version('torch')}"
    )


def room(device: str) -> float:
    """GiB that a batch may take: a share of what is free on a device, rounded down to a power of 2,
    so that the next run cuts the same batches."""
    if not device.startswith("cuda"):
        return ON_CPU
    return 2.0 ** floor(log2(SHARE * torch.cuda.mem_get_info(device)[0] / 2**30))
