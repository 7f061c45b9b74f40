import type { CallToolResult } from '@modelcontextprotocol/client'

const MAX_CHARS = 20_000

/** What a tool answered, as text that is not too long. Pictures and sounds are left out and named. */
export function toResultText({ content, structuredContent, isError }: CallToolResult): string {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    if (part.type === 'resource_link') return part.uri
    return `[${part.type} left out]`
  })
  const whole =
    parts.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : parts.join('\n')
  const text = whole.slice(0, MAX_CHARS).toWellFormed()
  const rest = whole.length - text.length
  return `${isError === true ? 'The tool failed: ' : ''}${text}${rest > 0 ? `\n[${rest} more characters left out]` : ''}`
}
