const names = new Intl.DisplayNames('en', { type: 'region' })

/** The name of a country by its ISO 3166-1 alpha-2 code; '' for ''. */
export const countryName = (countryId: string): string => (countryId ? (names.of(countryId) ?? countryId) : '')
