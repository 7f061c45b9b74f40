import { useQueryClient } from '@tanstack/react-query'
import { useApiQuery, useApiPages } from '../api/use-api.tsx'
import type { CallOptions } from '../../client/index.js'
import { type ApiClient, MAY_BE_MISSING } from '../api/client.ts'
import { useMeetingEvents } from '../api/event-stream-context.tsx'
import { useBatchedCallback } from '../api/use-batched-callback.ts'
import { type DocumentRef, documentApiPath } from './document-ref.ts'

const LIMIT = 100

export type FetchedDocument = {
  /** Null if the file is not text or is too large. */
  text: string | null
  /** Identifies this version of the document. Null if the file is too large. */
  etag: string | null
  size: number
  modifiedAt: string
}

const documentKey = ({ project, path }: DocumentRef) => ['projects', 'document', project, path]

export const useProjects = () =>
  useProjectPages(['projects', 'list'], (api, page) => api.projects.list(page))

/** The direct contents of a folder. The empty path is the project's root. */
export function useFolderContents({ project, path: folder }: DocumentRef) {
  return useProjectPages(['projects', 'folder', project, folder], (api, page) =>
    api.projects.documents(project, { folder, ...page }),
  )
}

export const useSavedMeetings = (project: string) =>
  useProjectPages(['projects', 'meetings', project], (api, page) =>
    api.projects.meetings(project, page),
  )

function useProjectPages<Page extends { nextCursor: string | null }>(
  queryKey: string[],
  read: (api: ApiClient, page: { limit: number; cursor: string | undefined }) => Promise<Page>,
) {
  const options = { keepsPrevious: false }
  return useApiPages(queryKey, (api, cursor) => read(api, { limit: LIMIT, cursor }), options)
}

/** `mayBeMissing`: no one was told that the document exists. */
export const useDocument = (documentRef: DocumentRef, mayBeMissing = false) =>
  useApiQuery(documentKey(documentRef), (api) =>
    fetchDocument(api, documentRef, mayBeMissing ? MAY_BE_MISSING : {}),
  )

export async function fetchDocument(
  api: ApiClient,
  documentRef: DocumentRef,
  options: CallOptions = {},
): Promise<FetchedDocument> {
  const response = await api.send({ path: documentApiPath(documentRef), ...options })
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
