import type { ApiDelivery } from '../../src/http/shapes/deliveries.ts'
import { type Column, DataTable } from '../ui/tables/data-table.tsx'
import { TextLink, Name, meetingPage } from '../ui/links.tsx'
import { Time } from '../ui/format/time.tsx'
import { eventTypeLabel, receiverName, OutcomeBadge } from './delivery-texts.tsx'

type Row = ApiDelivery & { id: string }

const OTHER_COLUMNS: Column<Row>[] = [
  {
    header: 'Outcome',
    cell: (row) => <OutcomeBadge attempt={row} />,
    isShort: true,
    card: 'badge',
  },
  {
    header: 'When',
    cell: ({ startedAt }) => <Time at={startedAt} show="minute" />,
    isShort: true,
    card: 'line',
  },
  {
    header: 'Duration',
    cell: ({ durationMs }) => <span className="figures">{durationMs} ms</span>,
    isShort: true,
    priority: 'middle',
  },
  {
    header: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now() ? (
        <Time at={nextAttemptAt} show="relative" />
      ) : (
        '–'
      ),
    isShort: true,
    priority: 'low',
  },
]

interface DeliveryTableProps {
  attempts: ApiDelivery[]
  onOpen: (attempt: ApiDelivery) => void
}

export function DeliveryTable({ attempts, onOpen }: DeliveryTableProps) {
  const rows = attempts.map((attempt) => ({ ...attempt, id: attempt.deliveryId }))
  const eventColumn = { header: 'Event', cell: (row: Row) => renderOpenButton(row, onOpen) }
  return (
    <DataTable
      caption="Delivery attempts, newest first"
      rows={rows}
      columns={[eventColumn, ...OTHER_COLUMNS]}
      renderDetail={renderMeetingAndReceiver}
      rowMenu={({ id, type, sequence, meetingId }) => ({
        id,
        rowName: `${eventTypeLabel(type)} ${sequence}`,
        curlApiPath: `/meetings/${encodeURIComponent(meetingId)}/deliveries?sequence=${sequence}`,
      })}
    />
  )
}

function renderMeetingAndReceiver({ meetingId, meetingTitle, url }: Row) {
  return (
    <>
      <MeetingCallbacksLink meetingId={meetingId} title={meetingTitle} />
      {url !== null && ` → ${receiverName(url)}`}
    </>
  )
}

/** The name of a meeting, as a link to its callbacks. */
export function MeetingCallbacksLink({ meetingId, title }: { meetingId: string; title: string }) {
  return (
    <TextLink {...meetingPage(meetingId)} search={{ tab: 'callbacks' }} inherit>
      <Name>{title}</Name>
    </TextLink>
  )
}

/** The name of the event, as a button that opens the attempt. */
function renderOpenButton(row: Row, onOpen: DeliveryTableProps['onOpen']) {
  const { type, sequence, kind, outcome } = row
  return (
    <>
      <button
        type="button"
        className="title-link"
        aria-label={`Open ${eventTypeLabel(type)} ${sequence}, ${outcome}`}
        onClick={() => onOpen(row)}
      >
        {eventTypeLabel(type)} {sequence > 0 && `#${sequence}`}
      </button>
      {kind === 'replay' && <span className="row-detail"> replay</span>}
    </>
  )
}
