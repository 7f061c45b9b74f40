import { Text } from '@mantine/core'
import type { WireDelivery } from '../../src/http/shapes/deliveries.ts'
import { DataTable, type Column } from '../ui/tables/data-table.tsx'
import { TextLink } from '../ui/links.tsx'
import { RowButton } from '../ui/tables/row-button.tsx'
import { Time } from '../ui/format/time.tsx'
import { eventTypeLabel } from './delivery-texts.ts'
import { OutcomeBadge } from './outcome-badge.tsx'

type Row = WireDelivery & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  {
    header: 'Event',
    cell: ({ type, sequence, kind }) => (
      <span className="one-line">
        {eventTypeLabel(type)} {sequence > 0 && `#${sequence}`}
        {kind === 'replay' && (
          <Text span size="sm" c="dimmed">
            {' '}
            replay
          </Text>
        )}
      </span>
    ),
  },
  { header: 'Outcome', cell: (row) => <OutcomeBadge attempt={row} /> },
  { header: 'When', cell: ({ startedAt }) => <Time at={startedAt} show="minute" /> },
  {
    header: 'Duration',
    cell: ({ durationMs }) => <span className="figures one-line">{durationMs} ms</span>,
  },
  {
    header: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now() ? (
        <Time at={nextAttemptAt} show="relative" />
      ) : (
        '–'
      ),
  },
  {
    header: 'Meeting',
    cell: ({ meetingId }) => (
      <TextLink
        to="/meetings/$meetingId"
        params={{ meetingId }}
        search={{ tab: 'callbacks' }}
        size="sm"
        title={meetingId}
        className="one-line"
      >
        …{meetingId.slice(-8)}
      </TextLink>
    ),
  },
]

export function DeliveryTable({
  attempts,
  onOpen,
}: {
  attempts: WireDelivery[]
  onOpen: (attempt: WireDelivery) => void
}) {
  const rows = attempts.map((attempt) => ({ ...attempt, id: attempt.deliveryId }))
  return (
    <DataTable
      caption="Delivery attempts, newest first"
      rows={rows}
      columns={COLUMNS}
      rowMenu={({ id, type, sequence, meetingId }) => ({
        id,
        rowName: `${eventTypeLabel(type)} ${sequence}`,
        curlApiPath: `/meetings/${encodeURIComponent(meetingId)}/deliveries?sequence=${sequence}`,
      })}
      renderActions={(row) => (
        <RowButton
          label="Open"
          ariaLabel={`Open ${eventTypeLabel(row.type)} ${row.sequence}, ${row.outcome}`}
          onClick={() => onOpen(row)}
        />
      )}
    />
  )
}
