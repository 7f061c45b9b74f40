import type { CallToolResult } from '@modelcontextprotocol/client'

const MAX_RESULT_CHARS = 20_000

/** The result of a tool call as text of limited length. Images and audio are replaced with a note. */
export function toToolResultText({ content, structuredContent, isError }: CallToolResult): string {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    if (part.type === 'resource_link') return part.uri
    return `[${part.type} left out]`
  })
  const fullText =
    parts.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : parts.join('\n')
  const text = fullText.slice(0, MAX_RESULT_CHARS).toWellFormed()
  const omittedChars = fullText.length - text.length
  return `${isError === true ? 'The tool failed: ' : ''}${text}${omittedChars > 0 ? `\n[${omittedChars} more characters left out]` : ''}`
}
