import type { account, ReplyOf } from '@dubplate/contract'
import { iso31661, iso31662 } from 'iso-3166'

type Country = ReplyOf<typeof account.getCountries>['countries'][number]

/** Common names, where they differ from those of the CLDR. */
const COUNTRY_NAMES: Record<string, string> = { HK: 'Hong Kong', MO: 'Macao', MM: 'Myanmar', PS: 'Palestine' }

const names = new Intl.DisplayNames(['en'], { type: 'region' })
const order = new Intl.Collator('en')
const byName = (a: { name: string }, b: { name: string }) => order.compare(a.name, b.name)

/** ISO lists the nations of the United Kingdom together with every borough; an address needs the nation. */
const NATIONS = new Set(['GB-ENG', 'GB-NIR', 'GB-SCT', 'GB-WLS'])

/** Subdivisions that contain others are left out: an address contains the province, not the group of provinces. */
const groups = new Set(iso31662.map(({ parent }) => parent))
const isRegion = (code: string): boolean => (code.startsWith('GB-') ? NATIONS.has(code) : !groups.has(code))

const regions = new Map<string, Country['region']>(iso31661.map(({ alpha2 }) => [alpha2, []]))
for (const { code, name } of iso31662) {
  if (isRegion(code)) regions.get(code.slice(0, 2))?.push({ id: code, name: name.replace(/ \(EH(-partial)?\)$/, '') })
}

/** All countries (ISO 3166-1) by name, each with its regions (ISO 3166-2) by name; some have none. */
export const countries: Country[] = iso31661
  .map(({ alpha2, name }) => ({
    id: alpha2,
    name: COUNTRY_NAMES[alpha2] ?? names.of(alpha2) ?? name,
    region: (regions.get(alpha2) ?? []).sort(byName),
  }))
  .sort(byName)

const byId = new Map(countries.map((country) => [country.id, country]))

export const countryOf = (id: string): Country | undefined => byId.get(id)
