import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { WireAuditPage } from '../../../src/http/shapes/audit.ts'
import { useApi } from '../../api/app-state.tsx'
import { toQueryString } from '../../api/query-string.ts'

export type AuditFilter = {
  actor?: string | undefined
  action?: string | undefined
  object?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export function useAudit(filter: AuditFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['system', 'audit', filter],
    queryFn: ({ pageParam }) =>
      api.get<WireAuditPage>(`/web/audit${toQueryString({ ...filter, cursor: pageParam })}`),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

export function auditExportPath(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  return `/web/audit/export${toQueryString({ ...filter, format })}`
}
