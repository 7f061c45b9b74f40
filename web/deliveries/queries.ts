import { useApiQuery, useApiPages } from '../api/use-api.tsx'
import type { DeliveriesListQuery } from '../../client/index.js'

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
  return useApiPages(
    ['deliveries', 'all', filter],
    (api, cursor) => api.deliveries.list({ ...filter, cursor: cursor } as DeliveriesListQuery),
    {
      // Only the first page of deliveries is polled. Polling stops once the user has loaded more pages.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) === 1 ? REFRESH_MS : false),
    },
  )
}

export function useLatestMeetingDeliveries(meetingId: string) {
  return useApiQuery(
    ['deliveries', 'of', meetingId],
    (api) => api.meetings.deliveries(meetingId, { limit: 30 }),
    {
      refetchInterval: REFRESH_MS,
    },
  )
}

export function useDeliveryAttemptsOfEvent(meetingId: string, sequence: number) {
  return useApiQuery(
    ['deliveries', 'of', meetingId, sequence],
    (api) => api.meetings.deliveries(meetingId, { sequence, limit: 100 }),
    {
      refetchInterval: REFRESH_MS,
    },
  )
}

export const useSentDeliveryRequest = (deliveryId: string) =>
  useApiQuery(['deliveries', 'request', deliveryId], (api) => api.deliveries.request(deliveryId))

export function useDeliveryFigures() {
  return useApiQuery(['deliveries', 'figures'], (api) => api.deliveries.figures(), {
    refetchInterval: 10_000,
  })
}

/** Lists where callbacks are being delivered, failing receivers first. */
export function useReceivers() {
  return useApiQuery(
    ['deliveries', 'receivers'],
    async (api) => (await api.deliveries.receivers()).receivers,
    {
      refetchInterval: 10_000,
    },
  )
}

/** The undelivered events of all meetings. */
export function useFailedEventTotals() {
  return useApiQuery(['deliveries', 'failed'], (api) => api.deliveries.failed(), {
    refetchInterval: 10_000,
  })
}
