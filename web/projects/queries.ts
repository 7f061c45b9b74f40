import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireDocuments,
  WireProjects,
  WireSavedMeetingsPage,
} from '../../src/http/shapes/projects.ts'
import { MAY_BE_MISSING, type ApiClient } from '../api/client.ts'
import { useApi } from '../api/app-state.tsx'
import { useMeetingEvents } from '../api/event-stream-context.tsx'
import { toQueryString } from '../api/query-string.ts'
import { useBatchedCallback } from '../api/use-batched-callback.ts'
import { documentApiPath, projectApiPath, type DocumentRef } from './document-ref.ts'

const LIMIT = '100'

export type FetchedDocument = {
  /** Null if the file is not text or is too large. */
  text: string | null
  /** Identifies this version of the document. Null if the file is too large. */
  etag: string | null
  size: number
  modifiedAt: string
}

const documentKey = ({ project, path }: DocumentRef) => ['projects', 'document', project, path]

export function useProjects() {
  return useProjectPages<WireProjects>(['projects', 'list'], '/web/projects')
}

/** The direct contents of a folder. The empty path is the project's root. */
export function useFolderContents({ project, path: folder }: DocumentRef) {
  const path = `${projectApiPath(project)}/documents?folder=${encodeURIComponent(folder)}`
  return useProjectPages<WireDocuments>(['projects', 'folder', project, folder], path)
}

export function useSavedMeetings(project: string) {
  return useProjectPages<WireSavedMeetingsPage>(
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

/** `mayBeMissing`: no one was told that the document exists. */
export function useDocument(documentRef: DocumentRef, mayBeMissing = false) {
  const api = useApi()
  return useQuery({
    queryKey: documentKey(documentRef),
    queryFn: () => fetchDocument(api, documentRef, mayBeMissing ? MAY_BE_MISSING : undefined),
  })
}

export async function fetchDocument(
  api: ApiClient,
  documentRef: DocumentRef,
  requestHeaders?: Record<string, string>,
): Promise<FetchedDocument> {
  const response = await api.getResponse(documentApiPath(documentRef), requestHeaders)
  const { headers } = response
  const isText = headers.get('content-type')?.startsWith('text/') === true
  // Files that can't be shown are not downloaded.
  if (!isText) await response.body?.cancel()
  const bytes = isText ? await response.arrayBuffer() : null
  return {
    // Unlike response.text(), this keeps a byte order mark, so that saving changes only what was edited.
    text: bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    etag: headers.get('etag'),
    size: bytes?.byteLength ?? Number(headers.get('content-length')),
    modifiedAt: new Date(headers.get('last-modified') ?? 0).toISOString(),
  }
}

/** Updates the query cache after a document changed. `document` is missing if it was deleted or is unknown. */
export function useUpdateCacheAfterDocumentChange(): (
  documentRef: DocumentRef,
  document?: FetchedDocument,
) => Promise<void> {
  const queries = useQueryClient()
  return async (documentRef, document) => {
    if (document) queries.setQueryData(documentKey(documentRef), document)
    else queries.removeQueries({ queryKey: documentKey(documentRef) })
    await queries.invalidateQueries({
      predicate: ({ queryKey: [area, kind] }) => area === 'projects' && kind !== 'document',
    })
  }
}

/** Refreshes the project pages when a transcript is saved during a live meeting. */
export function useRefreshOnDocumentEvents(): void {
  const queries = useQueryClient()
  const refresh = useBatchedCallback(
    () => void queries.invalidateQueries({ queryKey: ['projects'] }),
  )
  useMeetingEvents(({ type }) => {
    if (type === 'document_saved') refresh()
  })
}
