/**
 * Parses the text of an event stream into messages. Its chunks may have any size. A message without data is a
 * heartbeat, or only sets the resume position (`id`). An incomplete message at the end is ignored.
 */
export function createMessageParser() {
  let rest = ''
  let id = ''
  let event = ''
  let data = []

  const parseLine = (line) => {
    const end = line.indexOf(':')
    const field = end < 0 ? line : line.slice(0, end)
    const value = end < 0 ? '' : line.slice(end + 1).replace(/^ /, '')
    if (field === 'id') id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return function parse(chunk) {
    const messages = []
    // A carriage return at the end of a chunk may be the first half of a CRLF.
    const lines = `${rest}${chunk}`.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') parseLine(line)
      else {
        messages.push({ id, event, data: data.length === 0 ? undefined : data.join('\n') })
        event = ''
        data = []
      }
    }
    return messages
  }
}
