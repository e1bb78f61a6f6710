// A table that is narrower than an upright tablet has room for one of two columns: the market cap, or the volume when that is what it is
// sorted by. The places have no room there either.

export const placeLook = 'max-[744px]:hidden'
export const volumeLook = 'max-[744px]:hidden max-[744px]:in-data-[sort=volumeDesc]:table-cell'
export const capLook = 'max-[744px]:in-data-[sort=volumeDesc]:hidden'
