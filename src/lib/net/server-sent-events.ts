/** One message of a stream of server-sent events. */
export type ServerSentEvent = {
  event: string
  data: string
  /** The newest id that the stream has told so far; empty: none. */
  id: string
}

/** Reads a stream in pieces of any size. A message that was cut off at the end does not count. */
export async function* readServerSentEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let rest = ''
  let id = ''
  let event = ''
  let data: string[] = []
  for await (const piece of pieces) {
    // A carriage return at the very end may be the first half of a line's end.
    const lines = `${rest}${piece}`.split(/\r\n|\n|\r(?!$)/)
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

/** A line that begins with a colon is a comment: it has no field. */
function parse(line: string): { field: string; value: string } {
  const end = line.indexOf(':')
  if (end < 0) return { field: line, value: '' }
  return { field: line.slice(0, end), value: line.slice(end + 1).replace(/^ /, '') }
}
