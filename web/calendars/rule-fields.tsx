import { Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useFieldError } from '../ui/forms/form.tsx'
import { INVITATION_CHOICES, type RuleFields } from './rules.ts'

interface RuleFieldsInputProps {
  fields: RuleFields
  /** The person's email address in the invitations. */
  address: string
  onChange: (fields: RuleFields) => void
  onAddressChange: (address: string) => void
}

/** Which meetings of a calendar are joined, in plain words. */
export function RuleFieldsInput(props: RuleFieldsInputProps) {
  const { fields, address, onChange, onAddressChange } = props
  const set = (change: Partial<RuleFields>) => onChange({ ...fields, ...change })
  return (
    <Stack gap="md">
      <Radio.Group
        label="Which meetings should Hansard join?"
        value={fields.invitations}
        onChange={(value) => set({ invitations: value })}
      >
        <Stack gap={6} mt={6}>
          {Object.entries(INVITATION_CHOICES).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        name="address"
        label="Your email address in this calendar"
        description="So that Hansard knows which meetings you accepted, declined or organise."
        value={address}
        error={useFieldError('address')}
        onChange={(event) => onAddressChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TitleField
          name="rules.onlyTitles"
          label="Only if the title contains"
          description="For example “weekly”. One per line."
          value={fields.onlyTitles}
          onChange={(onlyTitles) => set({ onlyTitles })}
        />
        <TitleField
          name="rules.neverTitles"
          label="Never if the title contains"
          description="For example “private”. One per line."
          value={fields.neverTitles}
          onChange={(neverTitles) => set({ neverTitles })}
        />
      </SimpleGrid>
      <TextInput
        name="rules.onlyInvited"
        label="Only if this address is invited"
        description="For example notes@example.com, which you then invite to the meetings that Hansard should join."
        value={fields.onlyInvited}
        error={useFieldError('rules.onlyInvited')}
        onChange={(event) => set({ onlyInvited: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
      />
    </Stack>
  )
}

interface TitleFieldProps {
  name: string
  label: string
  description: string
  value: string
  onChange: (value: string) => void
}

function TitleField({ name, onChange, ...field }: TitleFieldProps) {
  return (
    <Textarea
      {...field}
      name={name}
      autosize
      minRows={1}
      maxRows={6}
      error={useFieldError(name)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
