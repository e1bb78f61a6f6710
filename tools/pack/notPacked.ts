/** Why no archive was made: its message is for whoever packs. */
export class NotPacked extends Error {}
