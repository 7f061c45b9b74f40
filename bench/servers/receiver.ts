// A callback receiver. At /ok it answers 204 and records the age of each event on arrival. Under /count it only counts.
// At /hang it never answers.
import { createServer } from 'node:http'

const HANGING = createServer(() => undefined)
let ages: number[] = []
let count = 0

type Body = { type: string; timestamp: string; payload: { text?: string } }

const server = createServer((request, response) => {
  if (request.url?.startsWith('/hang')) return
  if (request.url?.startsWith('/count')) {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      count += 1
    })
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(204).end()
    count += 1
    const isPartial = request.headers['x-service-event'] === 'caption_partial'
    if (request.url === '/partials' && !isPartial) return
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body
    ages.push(Date.now() - saidAt(body))
  })
})

/** When the event occurred: for a partial, the time that the source wrote into its text; otherwise the stored time. */
function saidAt({ type, timestamp, payload }: Body): number {
  const [, at] = /said at (\d+)/.exec(payload.text ?? '') ?? []
  return at === undefined || type !== 'caption_partial' ? Date.parse(timestamp) : Number(at)
}

process.on('message', (question: 'count' | 'take') => {
  if (question === 'count') return void process.send?.({ count })
  const sorted = ages.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? null
  process.send?.({ count, p50: at(0.5), p99: at(0.99), size: sorted.length })
  ages = []
})

const portOf = (which: typeof server) => (which.address() as { port: number }).port
HANGING.listen(0, '127.0.0.1', () => {
  server.listen(0, '127.0.0.1', () => {
    process.send?.({
      url: `http://127.0.0.1:${portOf(server)}`,
      hangingUrl: `http://127.0.0.1:${portOf(HANGING)}`,
    })
  })
})
process.on('SIGTERM', () => process.exit(0))
