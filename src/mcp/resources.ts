import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import type { Client } from 'hansard/client'

const MARKDOWN = 'text/markdown'
/**
 * Limits of the list of documents that an MCP client offers its user to choose from. An assistant reads complete lists
 * with the tools.
 */
const MAX_PROJECTS = 20
const MAX_DOCUMENTS = 50

/** Offers documents and transcripts to clients in which users attach them to a conversation. */
export function addResources(server: McpServer, client: Client): void {
  server.registerResource(
    'document',
    new ResourceTemplate('hansard://projects/{project}/documents/{+path}', {
      list: async () => ({ resources: await listDocuments(client) }),
    }),
    { title: 'Documents', description: 'Transcripts and other documents', mimeType: MARKDOWN },
    async (uri) => {
      const { project, path } = parseDocumentUri(uri)
      const text = await client.projects.document(project, path)
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] }
    },
  )
  server.registerResource(
    'transcript',
    new ResourceTemplate('hansard://meetings/{meetingId}/transcript', { list: undefined }),
    { title: 'Transcripts', description: 'The transcript of a meeting', mimeType: MARKDOWN },
    async (uri) => {
      const meetingId = decodeURIComponent(uri.pathname.split('/')[1] ?? '')
      const text = await client.meetings.transcript(meetingId, { format: 'md' })
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] }
    },
  )
}

async function listDocuments(client: Client) {
  const { projects } = await client.projects.list({ limit: MAX_PROJECTS })
  const lists = await Promise.all(
    projects.map(async ({ id }) => {
      const { documents } = await client.projects.documents(id, { limit: MAX_DOCUMENTS })
      return documents.map(({ path, title, size }) => ({
        uri: documentUri(id, path),
        name: `${id}/${path}`,
        title,
        mimeType: MARKDOWN,
        size,
      }))
    }),
  )
  return lists.flat()
}

export function documentUri(project: string, path: string): string {
  const parts = path.split('/').map(encodeURIComponent)
  return `hansard://projects/${encodeURIComponent(project)}/documents/${parts.join('/')}`
}

/** Parses the URI of a document instead of using the values of the resource template, which are not decoded. */
function parseDocumentUri(uri: URL): { project: string; path: string } {
  const [project = '', , ...parts] = uri.pathname.slice(1).split('/').map(decodeURIComponent)
  return { project, path: parts.join('/') }
}
