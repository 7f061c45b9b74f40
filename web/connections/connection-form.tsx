import { NativeSelect, PasswordInput, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ApiConnection } from '../../src/http/shapes/connections.ts'
import { type MicrosoftCloud, MICROSOFT_CLOUDS } from '../../src/http/shapes/values.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { useApi } from '../api/use-api.tsx'
import { useReloadConnections } from './queries.ts'
import { ProjectInput } from '../projects/project-filter-field.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { readFormText, TextField, useFieldError } from '../ui/forms.tsx'

const CLOUD_LABELS: Record<MicrosoftCloud, string> = {
  global: 'Worldwide, GCC',
  'us-gov-high': 'US Government GCC High',
  'us-gov-dod': 'US Government DoD',
}

interface ConnectionFormProps {
  /** Null to add a connection. */
  connection: ApiConnection | null
  onClose: () => void
  onSaved: () => void
}

/** Adds or changes a connection. A stored secret is never shown; an empty field keeps it. */
export function ConnectionForm({ connection, onClose, onSaved }: ConnectionFormProps) {
  const api = useApi()
  const reload = useReloadConnections()
  const [project, setProject] = useState(connection?.project ?? '')
  const submit = async (values: FormData) => {
    const fields = {
      name: readFormText(values, 'name'),
      organizers: readLines(values, 'organizers'),
      excludedTitles: readLines(values, 'excludedTitles'),
      ...readCredential(values),
    }
    const chosen = project.trim() === '' ? null : project.trim()
    if (connection === null)
      await api.connections.create({
        ...fields,
        project: chosen,
        tenant: readFormText(values, 'tenant'),
        clientId: readFormText(values, 'clientId'),
        cloud: readFormText(values, 'cloud') as MicrosoftCloud,
      })
    else
      await api.connections.update(connection.id, {
        ...fields,
        // Sent only if it changes, because an admin need not be able to use the current project.
        ...(chosen !== connection.project && { project: chosen }),
      })
    await reload()
    onSaved()
    onClose()
  }
  return (
    <FormDialog
      title={connection === null ? 'Connect Microsoft 365' : `Edit ${connection.name}`}
      size="lg"
      submitLabel={connection === null ? 'Connect' : 'Save'}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        defaultValue={connection?.name ?? ''}
        maxLength={100}
        autoComplete="off"
        hasAutofocus
      />
      {connection === null && <ApplicationFields />}
      <CredentialFields isNew={connection === null} />
      <LinesField
        name="organizers"
        label="Organizers"
        description="One address per line, as people sign in with it. Meetings that they organize are read."
        defaultValue={connection?.organizers.map(({ address }) => address) ?? []}
        isRequired
      />
      <ProjectField project={project} onChange={setProject} />
      <LinesField
        name="excludedTitles"
        label="Excluded titles (optional)"
        description="One text per line. A meeting with one of them in its title is not read."
        defaultValue={connection?.excludedTitles ?? []}
      />
    </FormDialog>
  )
}

/** What cannot be changed later, because the transcripts would come from elsewhere. */
function ApplicationFields() {
  return (
    <>
      <TextField
        name="tenant"
        label="Directory (tenant) ID"
        description="On the overview page of the app registration"
        maxLength={253}
        autoComplete="off"
      />
      <TextField
        name="clientId"
        label="Application (client) ID"
        maxLength={36}
        autoComplete="off"
      />
      <NativeSelect
        name="cloud"
        label="Cloud"
        data={MICROSOFT_CLOUDS.map((value) => ({ value, label: CLOUD_LABELS[value] }))}
      />
    </>
  )
}

function CredentialFields({ isNew }: { isNew: boolean }) {
  const [kind, setKind] = useState<'secret' | 'certificate'>('secret')
  const secretError = useFieldError('clientSecret')
  const certificateError = useFieldError('certificate')
  const keep = isNew ? '' : ' Leave empty to keep the current one.'
  return (
    <>
      <NativeSelect
        label="Sign in with"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as typeof kind)}
        data={[
          { value: 'secret', label: 'Client secret' },
          { value: 'certificate', label: 'Certificate' },
        ]}
      />
      {kind === 'secret' ? (
        <PasswordInput
          name="clientSecret"
          label="Client secret"
          description={`Its value, not its ID. It is stored encrypted and never shown again.${keep}`}
          maxLength={500}
          autoComplete="off"
          required={isNew}
          withAsterisk={false}
          error={secretError}
        />
      ) : (
        <Textarea
          name="certificate"
          label="Private key and certificate"
          description={`PEM text with both. It is stored encrypted and never shown again.${keep}`}
          maxLength={20_000}
          autoComplete="off"
          spellCheck={false}
          rows={6}
          required={isNew}
          withAsterisk={false}
          error={certificateError}
        />
      )}
    </>
  )
}

interface LinesFieldProps {
  name: string
  label: string
  description: string
  defaultValue: readonly string[]
  isRequired?: boolean
}

function LinesField({
  name,
  label,
  description,
  defaultValue,
  isRequired = false,
}: LinesFieldProps) {
  return (
    <Textarea
      name={name}
      label={label}
      description={description}
      defaultValue={defaultValue.join('\n')}
      rows={3}
      autoComplete="off"
      spellCheck={false}
      required={isRequired}
      withAsterisk={false}
      error={useFieldError(name)}
    />
  )
}

function ProjectField({
  project,
  onChange,
}: {
  project: string
  onChange: (project: string) => void
}) {
  return (
    <>
      <ProjectInput
        name="project"
        description="An existing project. Empty: a private project of each organizer, who then needs an account here"
        value={project}
        error={useFieldError('project')}
        onChange={onChange}
      />
      {project.trim() === '' ? (
        <Text size="sm" c="dimmed">
          Only its organizer will be able to read a meeting.
        </Text>
      ) : (
        <WhoMayRead project={project} what="the meetings" />
      )}
    </>
  )
}

function readLines(values: FormData, name: string): string[] {
  return readFormText(values, name)
    .split(/\r?\n/)
    .flatMap((line) => line.trim() || [])
}

function readCredential(values: FormData) {
  const clientSecret = readFormText(values, 'clientSecret')
  const certificate = readFormText(values, 'certificate')
  return {
    ...(clientSecret !== '' && { clientSecret }),
    ...(certificate !== '' && { certificate }),
  }
}
