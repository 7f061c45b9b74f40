import { ActionIcon, Checkbox, Group, Input, NativeSelect, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ApiRecapSettings } from '../../src/http/shapes/recap-settings.ts'
import {
  MAX_INSTRUCTIONS_CHARS,
  RECAP_MAIL_RECIPIENTS,
  RECAP_SECTIONS,
  type RecapMailRecipients,
} from '../../src/http/shapes/values.ts'
import { useProjectRights } from '../access/queries.ts'
import { useApi, useAppState } from '../api/app-state.tsx'
import { useReload } from '../api/queries.ts'
import { RECAP_SECTION_LABELS } from '../meetings/meeting/recap/recap-labels.ts'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { readFormText, useFieldError } from '../ui/forms/form.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '../ui/icons.tsx'
import { listRecapLanguages } from './recap-languages.ts'
import { RECAP_MAIL_LABELS } from './recap-mail-labels.ts'

type Section = ApiRecapSettings['sections'][number]
type Row = { section: Section; isShown: boolean }

interface RecapSettingsDialogProps {
  project: string
  settings: ApiRecapSettings
  onClose: () => void
  onSaved: () => void
}

export function RecapSettingsDialog(props: RecapSettingsDialogProps) {
  const { project, settings, onClose, onSaved } = props
  const api = useApi()
  const { hasMail } = useAppState()
  const { canManage } = useProjectRights(project)
  const reload = useReload('projects')
  const [rows, setRows] = useState(() => listRows(settings.sections))
  const chosen = rows.filter(({ isShown }) => isShown).map(({ section }) => section)
  const submit = async (values: FormData) => {
    await api.projects.updateRecapSettings(project, {
      recapLanguage: readFormText(values, 'recapLanguage') || null,
      sections: chosen,
      instructions: readFormText(values, 'instructions'),
      ...(hasMail && { recapMail: readFormText(values, 'recapMail') as RecapMailRecipients }),
      ...(hasMail && canManage && findGuestChange(settings, values)),
    })
    await reload()
    onSaved()
  }
  return (
    <FormDialog
      title="Recaps of this project"
      submitLabel="Save"
      isDisabled={chosen.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <LanguageField current={settings.recapLanguage} />
      <SectionList rows={rows} onChange={setRows} />
      <InstructionsField current={settings.instructions} />
      {hasMail && <MailField current={settings.recapMail} />}
      {hasMail && canManage && <GuestFields settings={settings} />}
    </FormDialog>
  )
}

/** The chosen sections in their order, then the others. */
function listRows(sections: readonly Section[]): Row[] {
  const others = RECAP_SECTIONS.filter((section) => !sections.includes(section))
  return [
    ...sections.map((section) => ({ section, isShown: true })),
    ...others.map((section) => ({ section, isShown: false })),
  ]
}

function LanguageField({ current }: { current: string | null }) {
  return (
    <NativeSelect
      name="recapLanguage"
      label="Language"
      description="A language model writes in this language. Recaps by rules quote what was said."
      defaultValue={current ?? ''}
      error={useFieldError('recapLanguage')}
      data={[{ value: '', label: 'Default' }, ...listRecapLanguages(current)]}
      data-autofocus
    />
  )
}

interface SectionListProps {
  rows: readonly Row[]
  onChange: (rows: Row[]) => void
}

function SectionList({ rows, onChange }: SectionListProps) {
  const move = (from: number, to: number) => {
    const moved = [...rows]
    moved.splice(to, 0, ...moved.splice(from, 1))
    onChange(moved)
  }
  const toggle = (section: Section) =>
    onChange(rows.map((row) => (row.section === section ? { ...row, isShown: !row.isShown } : row)))
  const isEmpty = rows.every(({ isShown }) => !isShown)
  return (
    <Input.Wrapper
      label="Sections"
      labelElement="div"
      error={isEmpty ? 'Choose at least one section.' : undefined}
    >
      <Stack component="ul" gap={4} className="plain-list" aria-label="Sections">
        {rows.map(({ section, isShown }, i) => {
          const label = RECAP_SECTION_LABELS[section]
          return (
            <Group component="li" key={section} gap="xs" wrap="nowrap">
              <Checkbox
                label={label}
                checked={isShown}
                onChange={() => toggle(section)}
                flex="1 1 auto"
              />
              <ActionIcon
                variant="default"
                aria-label={`Move ${label} up`}
                disabled={i === 0}
                onClick={() => move(i, i - 1)}
              >
                <ChevronUpIcon />
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={`Move ${label} down`}
                disabled={i === rows.length - 1}
                onClick={() => move(i, i + 1)}
              >
                <ChevronDownIcon />
              </ActionIcon>
            </Group>
          )
        })}
      </Stack>
    </Input.Wrapper>
  )
}

function MailField({ current }: { current: RecapMailRecipients }) {
  return (
    <NativeSelect
      name="recapMail"
      label="Send recaps by mail to"
      description="When a recap is ready, and only to people who may read the meeting. Everyone can choose to get less."
      defaultValue={current}
      error={useFieldError('recapMail')}
      data={RECAP_MAIL_RECIPIENTS.map((value) => ({ value, label: RECAP_MAIL_LABELS[value] }))}
    />
  )
}

/** What the owner changed. Turning it on again would make the links depend on the rights of another owner. */
function findGuestChange(settings: ApiRecapSettings, values: FormData) {
  const mailsGuests = values.get('mailsGuests') !== null
  const guestLinkDays = Number(readFormText(values, 'guestLinkDays'))
  return {
    ...(mailsGuests !== settings.mailsGuests && { mailsGuests }),
    ...(guestLinkDays !== settings.guestLinkDays && { guestLinkDays }),
  }
}

function GuestFields({ settings }: { settings: ApiRecapSettings }) {
  const { mailsGuests, guestLinkDays } = settings
  const days = [...new Set([1, 7, 14, 30, 90, guestLinkDays])].toSorted((a, b) => a - b)
  return (
    <>
      <Checkbox
        name="mailsGuests"
        label="Also to invited people without an account"
        description="They get the recap and a link to the transcript, if the calendar invitation has their address and they did not decline. Nothing is sent while the choice above is Nobody."
        defaultChecked={mailsGuests}
        error={useFieldError('mailsGuests')}
      />
      <NativeSelect
        name="guestLinkDays"
        label="Links for these people expire"
        defaultValue={String(guestLinkDays)}
        error={useFieldError('guestLinkDays')}
        data={days.map((value) => ({
          value: String(value),
          label: `After ${formatCountWithNoun(value, 'day')}`,
        }))}
      />
    </>
  )
}

function InstructionsField({ current }: { current: string }) {
  return (
    <Textarea
      name="instructions"
      label="Instructions for the language model"
      description={`What matters in these meetings, or how to write. At most ${MAX_INSTRUCTIONS_CHARS.toLocaleString('en')} characters.`}
      placeholder="Write for people who missed the meeting. Name customers."
      defaultValue={current}
      maxLength={MAX_INSTRUCTIONS_CHARS}
      error={useFieldError('instructions')}
      autosize
      minRows={3}
      maxRows={12}
    />
  )
}
