import { Anchor, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { WireCalendar } from '../../src/http/shapes/calendars.ts'
import { useApi, useSignedInUser } from '../api/app-state.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { BROWSER_TIME_ZONE } from '../ui/format/browser-time-zone.ts'
import { FormButtons } from '../ui/forms/form-buttons.tsx'
import { Form, readFormText, useFieldError } from '../ui/forms/form.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { AddressSteps } from './address-steps.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { useReadPreview, useReloadCalendars, type KnownPreview } from './queries.ts'
import { fromRuleFields, NO_RULE_FIELDS, suggestCalendarName } from './rules.ts'

/** The address and the first preview from it. Both exist only in the dialog's state. */
type FoundCalendar = { url: string; known: KnownPreview }

interface ConnectCalendarDialogProps {
  onClose: () => void
  onConnected: (calendar: WireCalendar) => void
}

/** Asks for the address, then for the rules with a preview of their effect. Saves at the end. */
export function ConnectCalendarDialog({ onClose, onConnected }: ConnectCalendarDialogProps) {
  const [found, setFound] = useState<FoundCalendar | null>(null)
  return (
    <Dialog title="Connect a calendar" size={found === null ? 'lg' : 'wide'} onClose={onClose}>
      {found === null ? (
        <AddressForm onFound={setFound} onCancel={onClose} />
      ) : (
        <ChooseMeetings
          found={found}
          onChangeAddress={() => setFound(null)}
          onCancel={onClose}
          onConnected={onConnected}
        />
      )}
    </Dialog>
  )
}

interface AddressFormProps {
  onFound: (found: FoundCalendar) => void
  onCancel: () => void
}

function AddressForm({ onFound, onCancel }: AddressFormProps) {
  const { email } = useSignedInUser()
  const read = useReadPreview()
  const action = useAction(async (values: FormData) => {
    const url = readFormText(values, 'url')
    const rules = { address: email, rules: fromRuleFields(NO_RULE_FIELDS) }
    onFound({ url, known: { rules, preview: await read({ url }, rules) } })
  })
  return (
    <Form action={action}>
      <Text fw={600}>Step 1 of 2: find the secret address of your calendar</Text>
      <AddressSteps />
      <AddressField />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Continue
      </FormButtons>
    </Form>
  )
}

function AddressField() {
  return (
    <TextInput
      name="url"
      label="Secret address"
      description="Anyone who has it can read the calendar. Hansard stores it encrypted and never shows it again."
      required
      withAsterisk={false}
      maxLength={2048}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
      error={useFieldError('url')}
    />
  )
}

interface ChooseMeetingsProps {
  found: FoundCalendar
  onChangeAddress: () => void
  onCancel: () => void
  onConnected: (calendar: WireCalendar) => void
}

function ChooseMeetings({ found, onChangeAddress, onCancel, onConnected }: ChooseMeetingsProps) {
  const { url, known } = found
  const api = useApi()
  const reload = useReloadCalendars()
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that led here is gone, so the focus moves to the beginning of this step.
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <Title order={3} size="h5" mb="md" ref={heading} tabIndex={-1}>
        Step 2 of 2: choose which meetings Hansard joins
      </Title>
      <CalendarForm
        source={{ url }}
        initialName={suggestCalendarName(url)}
        initialAddress={known.rules.address}
        known={known}
        submitLabel="Connect calendar"
        onSave={async (body) => {
          const created = await api.calendars.create({
            url,
            timeZone: BROWSER_TIME_ZONE,
            ...body,
          })
          await reload()
          onConnected(created.calendar)
        }}
        onCancel={onCancel}
      />
      <Text size="sm" mt="sm">
        Not the right calendar?{' '}
        <Anchor component="button" type="button" onClick={onChangeAddress}>
          Use another address
        </Anchor>
      </Text>
    </>
  )
}
