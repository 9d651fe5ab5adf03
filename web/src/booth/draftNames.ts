/** The draft of the form of a profile, of a new one, or of a new one that starts as a copy. */
export const draftNameOf = (profile: number | 'new' | `copy.${number}`) => `download-profile.${profile}`
