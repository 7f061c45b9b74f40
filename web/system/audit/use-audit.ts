import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { CURSOR_PAGES } from '../../api/queries.ts'
import type { AuditListQuery } from '../../../client/index.js'
import { useApi } from '../../api/app-state.tsx'

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
    queryFn: ({ pageParam }) => api.audit.list({ ...filter, cursor: pageParam } as AuditListQuery),
    ...CURSOR_PAGES,
    placeholderData: keepPreviousData,
  })
}

export function auditExportPath(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  return `/web/audit/export?${query}`
}
