/**
 * Lets those who ask the same in one turn of the event loop share one answer. It is looked up only after the last
 * of them has asked, so that nobody gets one that is older than the question.
 */
export function coalesceReads<Answer>(): (
  key: string,
  read: () => Promise<Answer>,
) => Promise<Answer> {
  const asked = new Map<string, Promise<Answer>>()
  return (key, read) => {
    const known = asked.get(key)
    if (known !== undefined) return known
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asked.delete(key)
      return read()
    })
    asked.set(key, answer)
    return answer
  }
}
