/** Yields the text of a response as it arrives. If the reader stops early, the rest is cancelled. */
export async function* readTextChunks(response: Response): AsyncGenerator<string> {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel()
  }
}
