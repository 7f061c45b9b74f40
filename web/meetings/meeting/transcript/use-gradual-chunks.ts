import { useEffect, useState } from 'react'

/** Shown at once before and after the first visible chunk. */
const CHUNKS_AT_ONCE = 3
/** Added before and after in one step, which takes about one frame. */
const CHUNKS_PER_STEP = 4

interface ChunkRange {
  from: number
  to: number
}

/**
 * Renders a long transcript in steps, outwards from where it opens, so that opening the page and scrolling stay smooth.
 * After a moment all chunks are rendered, and new chunks are rendered at once.
 */
export function useGradualChunks(
  count: number,
  findFirstShown: () => number,
): { isRendered: (index: number) => boolean; isComplete: boolean } {
  const [range, setRange] = useState<ChunkRange | null>(null)
  if (range === null && count > 0) {
    setRange(grow({ from: findFirstShown(), to: findFirstShown() + 1 }, CHUNKS_AT_ONCE, count))
  }
  useEffect(() => {
    if (range === null || isInfinite(range)) return undefined
    const timer = setTimeout(() => setRange(grow(range, CHUNKS_PER_STEP, count)))
    return () => clearTimeout(timer)
  }, [range, count])
  return {
    isRendered: (index) => range !== null && index >= range.from && index < range.to,
    isComplete: range !== null && isInfinite(range),
  }
}

/** A range that reaches an end stays open there, so that later chunks belong to it. */
export function grow({ from, to }: ChunkRange, by: number, count: number): ChunkRange {
  return {
    from: from - by <= 0 ? -Infinity : from - by,
    to: to + by >= count ? Infinity : to + by,
  }
}

function isInfinite({ from, to }: ChunkRange): boolean {
  return from === -Infinity && to === Infinity
}
