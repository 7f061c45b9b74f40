/** A stream without messages sends a heartbeat this often, so that proxies don't close the connection. */
export const STREAM_HEARTBEAT_MS = 15_000

/** One message of a stream of server-sent events. */
export type ServerSentEvent = {
  event: string
  data: string
  /** The last id that the stream sent in or before this message. Empty if it has sent none. */
  id: string
}

/** Parses server-sent events from chunks of any size. Ignores an incomplete message at the end. */
export async function* readServerSentEvents(
  chunks: AsyncIterable<string>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let rest = ''
  let id = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    // A carriage return at the end of a chunk may be the first half of a CRLF.
    const lines = `${rest}${chunk}`.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { field, value } = parse(line)
      if (field === 'id') id = value
      if (field === 'event') event = value
      if (field === 'data') data.push(value)
      if (line !== '') continue
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id }
      event = ''
      data = []
    }
  }
}

/** Splits a line into field and value. A comment line begins with a colon and has an empty field. */
function parse(line: string): { field: string; value: string } {
  const end = line.indexOf(':')
  if (end < 0) return { field: line, value: '' }
  return { field: line.slice(0, end), value: line.slice(end + 1).replace(/^ /, '') }
}
