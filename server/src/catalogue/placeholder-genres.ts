const PLACEHOLDER =
  /^(?:other|misc(?:ellaneous)?|unknown|unsorted|uncategori[sz]ed|none|genre|music|default|\(?\d+\)?)$/i

/** Whether software wrote this genre because it knew none. */
export const isPlaceholderGenre = (name: string): boolean => PLACEHOLDER.test(name.trim())
