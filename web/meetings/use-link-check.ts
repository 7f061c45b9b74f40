import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../api/app-state.tsx'

const DEBOUNCE_MS = 250

/** Asks the API which meeting a link belongs to, or why the link is invalid. Opens nothing. */
export function useMeetingLinkOrError(url: string) {
  const api = useApi()
  const [settled] = useDebouncedValue(url.trim(), DEBOUNCE_MS)
  const query = useQuery({
    queryKey: ['link', settled],
    queryFn: () => api.meetings.link({ url: settled }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const isCurrent = settled === url.trim() && settled !== ''
  return { link: isCurrent ? query.data : undefined, error: isCurrent ? query.error : null }
}
