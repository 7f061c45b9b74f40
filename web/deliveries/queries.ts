import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireDeliveries,
  WireSentCallbackRequest,
  WireFailedEventCounts,
  WireDeliveryFigures,
  WireMeetingDeliveries,
  WireReceivers,
} from '../../src/http/shapes/deliveries.ts'
import { useApi } from '../api/app-state.tsx'
import { meetingApiPath } from '../meetings/queries.ts'
import { toQueryString } from '../api/query-string.ts'

/** Delivery attempts are not in the event stream, so pages that show them poll the API. */
const REFRESH_MS = 3_000

export type DeliveryFilter = {
  meeting?: string | undefined
  receiver?: string | undefined
  outcome?: string | undefined
  type?: string | undefined
  since?: string | undefined
}

export function useDeliveries(filter: DeliveryFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['deliveries', 'all', filter],
    queryFn: ({ pageParam }) =>
      api.get<WireDeliveries>(`/web/deliveries${toQueryString({ ...filter, cursor: pageParam })}`),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // Only the first page of deliveries is polled. Polling stops once the user has loaded more pages.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) === 1 ? REFRESH_MS : false),
  })
}

export function useLatestMeetingDeliveries(meetingId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['deliveries', 'of', meetingId],
    queryFn: () =>
      api.get<WireMeetingDeliveries>(`${meetingApiPath(meetingId)}/deliveries?limit=30`),
    refetchInterval: REFRESH_MS,
  })
}

export function useDeliveryAttemptsOfEvent(meetingId: string, sequence: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['deliveries', 'of', meetingId, sequence],
    queryFn: () =>
      api.get<WireMeetingDeliveries>(
        `${meetingApiPath(meetingId)}/deliveries?sequence=${sequence}&limit=100`,
      ),
    refetchInterval: REFRESH_MS,
  })
}

export function useSentDeliveryRequest(deliveryId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['deliveries', 'request', deliveryId],
    queryFn: () =>
      api.get<WireSentCallbackRequest>(`/web/deliveries/${encodeURIComponent(deliveryId)}/request`),
  })
}

export function useDeliveryFigures() {
  const api = useApi()
  return useQuery({
    queryKey: ['deliveries', 'figures'],
    queryFn: () => api.get<WireDeliveryFigures>('/web/deliveries/figures'),
    refetchInterval: 10_000,
  })
}

/** Lists where callbacks are being delivered, failing receivers first. */
export function useReceivers() {
  const api = useApi()
  return useQuery({
    queryKey: ['deliveries', 'receivers'],
    queryFn: async () => (await api.get<WireReceivers>('/web/deliveries/receivers')).receivers,
    refetchInterval: 10_000,
  })
}

/** The undelivered events of all meetings. */
export function useFailedEventTotals() {
  const api = useApi()
  return useQuery({
    queryKey: ['deliveries', 'failed'],
    queryFn: () => api.get<WireFailedEventCounts>('/web/deliveries/failed'),
    refetchInterval: 10_000,
  })
}

export function useRefreshDeliveries(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['deliveries'] })
}
