import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireDocuments,
  WireProjects,
  WireSavedMeetings,
} from '../../src/http/shapes/projects.ts'
import type { Api } from '../api.ts'
import { useApi } from '../app-state.tsx'
import { useLiveEvents } from '../live/live.tsx'
import { toQuery, useTogether } from '../meetings/queries.ts'
import { documentApi, projectApi, type Place } from './place.ts'

const LIMIT = '100'

export type DocumentText = {
  /** Null for what is no text, or too large to be sent as one. */
  text: string | null
  /** Names this version; null where it is too large to be compared. */
  etag: string | null
  size: number
  modifiedAt: string
}

const documentKey = ({ project, path }: Place) => ['projects', 'document', project, path]

export function useProjects() {
  return usePages<WireProjects>(['projects', 'list'], '/web/projects')
}

/** What is directly in a folder; the empty name is the project itself. */
export function useFolder({ project, path: folder }: Place) {
  const path = `${projectApi(project)}/documents?folder=${encodeURIComponent(folder)}`
  return usePages<WireDocuments>(['projects', 'folder', project, folder], path)
}

export function useSavedMeetings(project: string) {
  return usePages<WireSavedMeetings>(
    ['projects', 'meetings', project],
    `${projectApi(project)}/meetings`,
  )
}

function usePages<Page extends { nextCursor: string | null }>(queryKey: string[], path: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) => {
      const query = toQuery({ limit: LIMIT, cursor })
      return api.get<Page>(path.includes('?') ? `${path}&${query.slice(1)}` : path + query)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export function useDocument(place: Place) {
  const api = useApi()
  return useQuery({ queryKey: documentKey(place), queryFn: () => readDocument(api, place) })
}

export async function readDocument(api: Api, place: Place): Promise<DocumentText> {
  const answer = await api.open(documentApi(place))
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
export function useRefreshProjects(): (place: Place, document?: DocumentText) => Promise<void> {
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
export function useFreshProjects(): void {
  const queries = useQueryClient()
  const refresh = useTogether(() => void queries.invalidateQueries({ queryKey: ['projects'] }))
  useLiveEvents(({ type }) => {
    if (type === 'document_saved') refresh()
  })
}
