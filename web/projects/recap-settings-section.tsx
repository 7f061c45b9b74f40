import { Stack, Group, Button, Text, Checkbox, ActionIcon, Input } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ApiRecapSettings } from '../../src/http/shapes/recap-settings.ts'
import type { RecapMailRecipients } from '../../src/http/shapes/values.ts'
import {
  RECAP_SECTIONS,
  MAX_INSTRUCTIONS_CHARS,
  RECAP_MAIL_RECIPIENTS,
} from '../../src/http/shapes/values.ts'
import { useProjectRights } from '../access/queries.ts'
import { useApi, useAppState } from '../api/use-api.tsx'
import { MAY_BE_MISSING, type ApiClient } from '../api/client.ts'
import { isNotFoundError } from '../api/api-error.ts'
import { RECAP_SECTION_LABELS } from '../meetings/meeting/recap/recap-labels.ts'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { readFormText, useFieldError } from '../ui/forms.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '../ui/icons.tsx'
import { Hint } from '../ui/text.tsx'
import { SelectField, TextAreaField, toOptions } from '../ui/fields.tsx'
import { Section } from '../ui/layout.tsx'

/** What the recaps of the project are. Editors can change it. */
export function RecapSettingsSection({ project }: { project: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'recap-settings', project],
    queryFn: () => api.projects.recapSettings(project, MAY_BE_MISSING),
  })
  const { canEdit } = useProjectRights(project)
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Section id="project-recaps" title="Recaps">
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the settings of recaps">
        {(settings) => (
          <>
            <Group justify="space-between" gap="sm" align="flex-start">
              <RecapSettings settings={settings} />
              {canEdit && (
                <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                  Change recaps
                </Button>
              )}
            </Group>
            {isOpen && (
              <RecapSettingsDialog
                project={project}
                settings={settings}
                onClose={() => setOpen(false)}
                onSaved={() => setNote('New recaps of this project follow these settings.')}
              />
            )}
          </>
        )}
      </QueryView>
    </Section>
  )
}

function RecapSettings({ settings }: { settings: ApiRecapSettings }) {
  const { hasMail } = useAppState()
  const { recapLanguage, sections, instructions, recapMail, mailsGuests } = settings
  const isUsual = sections.length === RECAP_SECTIONS.length && sections.every(isInUsualPlace)
  return (
    <Stack gap={4} flex="1 1 260px">
      <Text size="sm">
        {isUsual ? 'All sections in the usual order' : sections.map(labelOf).join(', ')}
        {recapLanguage !== null && ` · in ${languageNameOf(recapLanguage)}`}
      </Text>
      {hasMail && recapMail !== 'nobody' && (
        <Text size="sm">
          By mail to: {RECAP_MAIL_LABELS[recapMail]}
          {mailsGuests && ', and invited people without an account'}
        </Text>
      )}
      {instructions !== '' && (
        <Hint lineClamp={3}>
          Instructions: <bdi>{instructions}</bdi>
        </Hint>
      )}
    </Stack>
  )
}

type RecapSectionName = ApiRecapSettings['sections'][number]
const labelOf = (section: RecapSectionName) => RECAP_SECTION_LABELS[section]
const isInUsualPlace = (section: RecapSectionName, i: number) => section === RECAP_SECTIONS[i]

type RecapSection = ApiRecapSettings['sections'][number]
type SectionRow = { section: RecapSection; isShown: boolean }

interface RecapSettingsDialogProps {
  project: string
  settings: ApiRecapSettings
  onClose: () => void
  onSaved: () => void
}

function RecapSettingsDialog(props: RecapSettingsDialogProps) {
  const { project, settings, onClose, onSaved } = props
  const { hasMail } = useAppState()
  const { canManage } = useProjectRights(project)
  const [rows, setRows] = useState(() => listRows(settings.sections))
  const chosen = rows.filter(({ isShown }) => isShown).map(({ section }) => section)
  const submit = async (api: ApiClient, values: FormData) => {
    await api.projects.updateRecapSettings(project, {
      recapLanguage: readFormText(values, 'recapLanguage') || null,
      sections: chosen,
      instructions: readFormText(values, 'instructions'),
      ...(hasMail && { recapMail: readFormText(values, 'recapMail') as RecapMailRecipients }),
      ...(hasMail && canManage && findGuestChange(settings, values)),
    })
  }
  return (
    <FormDialog
      title="Recaps of this project"
      submitLabel="Save"
      isDisabled={chosen.length === 0}
      onSubmit={submit}
      reloads={['projects']}
      onClose={onClose}
      onSaved={onSaved}
    >
      <SelectField
        name="recapLanguage"
        label="Language"
        description="A language model writes in this language. Recaps by rules quote what was said."
        defaultValue={settings.recapLanguage ?? ''}
        data={[{ value: '', label: 'Default' }, ...listRecapLanguages(settings.recapLanguage)]}
        hasAutofocus
      />
      <SectionList rows={rows} onChange={setRows} />
      <TextAreaField
        name="instructions"
        label="Instructions for the language model"
        description={`What matters in these meetings, or how to write. At most ${MAX_INSTRUCTIONS_CHARS.toLocaleString('en')} characters.`}
        placeholder="Write for people who missed the meeting. Name customers."
        defaultValue={settings.instructions}
        maxLength={MAX_INSTRUCTIONS_CHARS}
        autoComplete="on"
        isOptional
        autosize
        minRows={3}
        maxRows={12}
      />
      {hasMail && (
        <SelectField
          name="recapMail"
          label="Send recaps by mail to"
          description="When a recap is ready, and only to people who may read the meeting. Everyone can choose to get less."
          defaultValue={settings.recapMail}
          data={toOptions(RECAP_MAIL_LABELS, RECAP_MAIL_RECIPIENTS)}
        />
      )}
      {hasMail && canManage && <GuestFields settings={settings} />}
    </FormDialog>
  )
}

/** The chosen sections in their order, then the others. */
function listRows(sections: readonly RecapSection[]): SectionRow[] {
  const others = RECAP_SECTIONS.filter((section) => !sections.includes(section))
  return [
    ...sections.map((section) => ({ section, isShown: true })),
    ...others.map((section) => ({ section, isShown: false })),
  ]
}

interface SectionListProps {
  rows: readonly SectionRow[]
  onChange: (rows: SectionRow[]) => void
}

function SectionList({ rows, onChange }: SectionListProps) {
  const move = (from: number, to: number) => {
    const moved = [...rows]
    moved.splice(to, 0, ...moved.splice(from, 1))
    onChange(moved)
  }
  const toggle = (section: RecapSection) =>
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
      <SelectField
        name="guestLinkDays"
        label="Links for these people expire"
        defaultValue={String(guestLinkDays)}
        data={days.map((value) => ({
          value: String(value),
          label: `After ${formatCountWithNoun(value, 'day')}`,
        }))}
      />
    </>
  )
}

/** The languages that the console offers. The API accepts every language tag. */
const OFFERED =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk ur vi zh zh-Hant'.split(
    ' ',
  )

const names = new Intl.DisplayNames('en', { type: 'language' })

function languageNameOf(tag: string): string {
  return names.of(tag) ?? tag
}

/** The languages to choose from, by name, with the current one even if the console does not offer it. */
function listRecapLanguages(current: string | null): Array<{ value: string; label: string }> {
  const tags = current === null ? OFFERED : [...new Set([...OFFERED, current])]
  return tags
    .map((value) => ({ value, label: languageNameOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

const RECAP_MAIL_LABELS: Record<RecapMailRecipients, string> = {
  nobody: 'Nobody',
  participants: 'Participants with an account',
  members: 'Everyone who may read the project',
}
