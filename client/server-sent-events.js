/**
 * Reads the text of a stream, in pieces of any size, into messages. One without data says only from where to
 * go on (`id`), or that somebody is there. What was cut off at the end does not count.
 */
export function createMessageParser() {
  let rest = ''
  let id = ''
  let event = ''
  let data = []

  const takeLine = (line) => {
    const end = line.indexOf(':')
    const field = end < 0 ? line : line.slice(0, end)
    const value = end < 0 ? '' : line.slice(end + 1).replace(/^ /, '')
    if (field === 'id') id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return function take(piece) {
    const messages = []
    // A carriage return at the very end may be the first half of a line's end.
    const lines = `${rest}${piece}`.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') takeLine(line)
      else {
        messages.push({ id, event, data: data.length === 0 ? undefined : data.join('\n') })
        event = ''
        data = []
      }
    }
    return messages
  }
}
