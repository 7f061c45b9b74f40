import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireDocuments,
  WireProjects,
  WireSavedMeetings,
} from '../../src/http/shapes/projects.ts'
import type { ApiClient } from '../api/client.ts'
import { useApi } from '../api/app-state.tsx'
import { useMeetingEvents } from '../api/event-stream-context.tsx'
import { toQueryString, useBatchedCallback } from '../meetings/queries.ts'
import { documentApiPath, projectApiPath, type DocumentRef } from './document-ref.ts'

const LIMIT = '100'

export type DocumentText = {
  /** Null for what is no text, or too large to be sent as one. */
  text: string | null
  /** Names this version; null where it is too large to be compared. */
  etag: string | null
  size: number
  modifiedAt: string
}

const documentKey = ({ project, path }: DocumentRef) => ['projects', 'document', project, path]

export function useProjects() {
  return useProjectPages<WireProjects>(['projects', 'list'], '/web/projects')
}

/** What is directly in a folder; the empty name is the project itself. */
export function useFolder({ project, path: folder }: DocumentRef) {
  const path = `${projectApiPath(project)}/documents?folder=${encodeURIComponent(folder)}`
  return useProjectPages<WireDocuments>(['projects', 'folder', project, folder], path)
}

export function useSavedMeetings(project: string) {
  return useProjectPages<WireSavedMeetings>(
    ['projects', 'meetings', project],
    `${projectApiPath(project)}/meetings`,
  )
}

function useProjectPages<Page extends { nextCursor: string | null }>(
  queryKey: string[],
  path: string,
) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) => {
      const query = toQueryString({ limit: LIMIT, cursor })
      return api.get<Page>(path.includes('?') ? `${path}&${query.slice(1)}` : path + query)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export function useDocument(place: DocumentRef) {
  const api = useApi()
  return useQuery({ queryKey: documentKey(place), queryFn: () => fetchDocument(api, place) })
}

export async function fetchDocument(api: ApiClient, place: DocumentRef): Promise<DocumentText> {
  const answer = await api.getResponse(documentApiPath(place))
  const { headers } = answer
  const isText = headers.get('content-type')?.startsWith('text/') === true
  // What cannot be shown is not fetched either, however large it is.
  if (!isText) await answer.body?.cancel()
  const bytes = isText ? await answer.arrayBuffer() : null
  return {
    // Unlike text(), this keeps a byte order mark: what is saved again shall differ by nothing but the edits.
    text: bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    etag: headers.get('etag'),
    size: bytes?.byteLength ?? Number(headers.get('content-length')),
    modifiedAt: new Date(headers.get('last-modified') ?? 0).toISOString(),
  }
}

/** After a change of our own; `document`: what is there now, or undefined for nothing. */
export function useRefreshProjects(): (
  place: DocumentRef,
  document?: DocumentText,
) => Promise<void> {
  const queries = useQueryClient()
  return async (place, document) => {
    if (document) queries.setQueryData(documentKey(place), document)
    else queries.removeQueries({ queryKey: documentKey(place) })
    await queries.invalidateQueries({
      predicate: ({ queryKey: [area, kind] }) => area === 'projects' && kind !== 'document',
    })
  }
}

/** Transcripts grow while their meetings are live. */
export function useRefreshOnDocumentEvents(): void {
  const queries = useQueryClient()
  const refresh = useBatchedCallback(
    () => void queries.invalidateQueries({ queryKey: ['projects'] }),
  )
  useMeetingEvents(({ type }) => {
    if (type === 'document_saved') refresh()
  })
}
