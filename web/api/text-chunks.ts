/** The text of a response as it arrives. */
export async function* readTextChunks(response: Response): AsyncGenerator<string> {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}
