import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { WireLink } from '../../src/http/shapes/meetings.ts'
import { useApi } from '../app-state.tsx'

const TYPING_MS = 250

/** Where a pasted link leads, or why nowhere. Nothing is opened or started for it. */
export function useLink(url: string) {
  const api = useApi()
  const [settled] = useDebouncedValue(url.trim(), TYPING_MS)
  const query = useQuery({
    queryKey: ['link', settled],
    queryFn: () => api.post<WireLink>('/web/meetings/link', { url: settled }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const isCurrent = settled === url.trim() && settled !== ''
  return { link: isCurrent ? query.data : undefined, error: isCurrent ? query.error : null }
}
