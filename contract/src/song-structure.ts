/** What a part of a song is to a DJ. */
export const SECTION_KINDS = ['intro', 'main', 'build', 'drop', 'break', 'outro'] as const
export type SectionKind = (typeof SECTION_KINDS)[number]

/** Places in a song to jump to, in the order in which they usually come. */
export const CUE_KINDS = ['first_beat', 'mix_in', 'intro_end', 'drop', 'break', 'second_drop', 'outro'] as const
export type CueKind = (typeof CUE_KINDS)[number]
