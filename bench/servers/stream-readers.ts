// Reads many event streams concurrently and counts their messages, like many open consoles.
const { STREAM_URL: url = '', COOKIE: cookie = '', STREAMS: count = '1' } = process.env
let messages = 0

async function read(): Promise<void> {
  const { body } = await fetch(url, { headers: { cookie } })
  if (body === null) throw new Error('no stream')
  void countMessages(body)
}

async function countMessages(body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  for await (const piece of body) {
    messages += decoder.decode(piece, { stream: true }).split('\ndata: ').length - 1
  }
}

await Promise.all(Array.from({ length: Number(count) }, read))
process.on('message', () => process.send?.({ messages }))
process.on('SIGTERM', () => process.exit(0))
process.send?.({ url })
