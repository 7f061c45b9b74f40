import { GROUP_SCHEMA, USER_SCHEMA, type Json } from './resources.ts'

/** What clients read to find out what this server can do: RFC 7643, sections 5 to 7. */

export const MAX_PAGE = 200

type Attribute = {
  name: string
  type: string
  description: string
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  mutability?: 'readOnly' | 'readWrite' | 'immutable'
  uniqueness?: 'none' | 'server'
  subAttributes?: Attribute[]
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
})

const USER_SCHEMA_ATTRIBUTES: Attribute[] = [
  text('userName', 'The name with which the identity provider knows the person', {
    required: true,
    uniqueness: 'server',
  }),
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name',
    subAttributes: [
      text('formatted', 'The whole name'),
      text('familyName', 'The last name'),
      text('givenName', 'The first name'),
    ],
  },
  text('displayName', 'The name that Hansard shows'),
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    description: 'Addresses. The primary one, else the one for work, is the address of the account',
    subAttributes: [
      text('value', 'The address'),
      text('type', 'For example work'),
      { name: 'primary', type: 'boolean', description: 'True for the main address' },
    ],
  },
  { name: 'active', type: 'boolean', description: 'False for a person who cannot sign in' },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    description: 'The groups of the person',
    subAttributes: [
      text('value', 'Id of the group', { mutability: 'readOnly' }),
      text('display', 'Name of the group', { mutability: 'readOnly' }),
    ],
  },
]

const GROUP_SCHEMA_ATTRIBUTES: Attribute[] = [
  text('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'The users in the group',
    subAttributes: [
      text('value', 'Id of the user', { mutability: 'immutable' }),
      text('display', 'Name of the user', { mutability: 'readOnly' }),
      text('type', 'Always User', { mutability: 'immutable' }),
    ],
  },
]

export function describeProvider(url: string): Json {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_PAGE },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Provisioning token',
        description: 'A token that an admin creates',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${url}/ServiceProviderConfig` },
  }
}

export function listResourceTypes(url: string): Json[] {
  return [
    ['User', 'Users', USER_SCHEMA],
    ['Group', 'Groups', GROUP_SCHEMA],
  ].map(([id, path, schema]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint: `/${path}`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/${id}` },
  }))
}

export function listSchemas(url: string): Json[] {
  const describe = (id: string, name: string, attributes: Attribute[]): Json => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes: attributes.map(describeAttribute),
    meta: { resourceType: 'Schema', location: `${url}/Schemas/${id}` },
  })
  return [
    describe(USER_SCHEMA, 'User', USER_SCHEMA_ATTRIBUTES),
    describe(GROUP_SCHEMA, 'Group', GROUP_SCHEMA_ATTRIBUTES),
  ]
}

function describeAttribute({ subAttributes, ...attribute }: Attribute): Json {
  return {
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...attribute,
    ...(subAttributes && { subAttributes: subAttributes.map(describeAttribute) }),
  }
}
