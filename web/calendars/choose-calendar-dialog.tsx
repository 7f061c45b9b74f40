import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type {
  ApiCalendarAccount,
  ApiProviderCalendars,
} from '../../src/http/shapes/calendar-accounts.ts'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'
import { useApi, useReload } from '../api/use-api.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/format-text.ts'
import { RowButton } from '../ui/tables/data-table.tsx'
import { PROVIDER_LABELS } from './calendar-accounts.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { useProviderCalendars } from './queries.ts'

type ProviderCalendar = ApiProviderCalendars['calendars'][number]

interface ChooseCalendarDialogProps {
  account: ApiCalendarAccount
  onClose: () => void
  onConnected: (calendar: ApiCalendar) => void
}

/** Asks for a calendar of a connected account, then for the rules with a preview of their effect. */
export function ChooseCalendarDialog({ account, onClose, onConnected }: ChooseCalendarDialogProps) {
  const [chosen, setChosen] = useState<ProviderCalendar | null>(null)
  return (
    <Dialog
      title={`Add a calendar of ${account.address}`}
      size={chosen === null ? 'lg' : 'wide'}
      onClose={onClose}
    >
      {chosen === null ? (
        <CalendarList account={account} onChoose={setChosen} onCancel={onClose} />
      ) : (
        <ChosenCalendar
          account={account}
          chosen={chosen}
          onCancel={onClose}
          onConnected={onConnected}
        />
      )}
    </Dialog>
  )
}

interface CalendarListProps {
  account: ApiCalendarAccount
  onChoose: (calendar: ProviderCalendar) => void
  onCancel: () => void
}

function CalendarList({ account, onChoose, onCancel }: CalendarListProps) {
  const query = useProviderCalendars(account.id)
  return (
    <Stack gap="md">
      <Text fw={600}>Step 1 of 2: choose a calendar</Text>
      <QueryView query={query} label="the calendars of this account">
        {({ calendars }) =>
          calendars.length === 0 ? (
            <Text>{PROVIDER_LABELS[account.provider]} has no calendar for this account.</Text>
          ) : (
            <Stack component="ul" className="plain-list" gap="xs" aria-label="Calendars">
              {calendars.map((calendar) => (
                <Group key={calendar.id} component="li" justify="space-between" wrap="nowrap">
                  <Text className="break-anywhere">
                    <bdi>{calendar.name}</bdi>
                    {calendar.isPrimary && ' (main calendar)'}
                  </Text>
                  <RowButton label="Choose" of={calendar.name} onClick={() => onChoose(calendar)} />
                </Group>
              ))}
            </Stack>
          )
        }
      </QueryView>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

interface ChosenCalendarProps {
  account: ApiCalendarAccount
  chosen: ProviderCalendar
  onCancel: () => void
  onConnected: (calendar: ApiCalendar) => void
}

function ChosenCalendar({ account, chosen, onCancel, onConnected }: ChosenCalendarProps) {
  const api = useApi()
  const reload = useReload('calendars', 'calendar-accounts', 'upcoming')
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that led here is gone, so the focus moves to the beginning of this step.
  useEffect(() => heading.current?.focus(), [])
  const place = { calendarAccountId: account.id, providerCalendarId: chosen.id }
  return (
    <>
      <Title order={3} size="h5" mb="md" ref={heading} tabIndex={-1}>
        Step 2 of 2: choose which meetings Hansard joins
      </Title>
      <CalendarForm
        source={place}
        initialName={chosen.name || PROVIDER_LABELS[account.provider]}
        initialAddress={account.address}
        submitLabel="Add calendar"
        onSave={async (body) => {
          const created = await api.calendars.create({
            ...place,
            timeZone: BROWSER_TIME_ZONE,
            ...body,
          })
          await reload()
          onConnected(created.calendar)
        }}
        onCancel={onCancel}
      />
    </>
  )
}
