/** The blocks of the right column, from what plays to what the pool suggests. */
export const Blocks = () => null
