type Limits = {
  /** Beyond that all is forgotten: it costs a moment and nothing else. */
  maxEntries: number
  /** An answer may be so old. */
  ttlMs: number
}

/** Remembers for a while the answers of a function that is asked the same over and over. */
export function memoize<Answer>(
  compute: (text: string) => Answer,
  { maxEntries, ttlMs }: Limits,
): (text: string) => Answer {
  const known = new Map<string, { answer: Answer; until: number }>()
  return (text) => {
    const now = performance.now()
    const found = known.get(text)
    if (found !== undefined && now < found.until) return found.answer
    if (known.size >= maxEntries) known.clear()
    const answer = compute(text)
    known.set(text, { answer, until: now + ttlMs })
    return answer
  }
}
