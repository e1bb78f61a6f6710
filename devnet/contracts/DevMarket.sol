// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

interface IUniswapV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function slot0() external view returns (uint160 sqrtPriceX96, int24, uint16, uint16, uint16, uint8, bool);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// @title Performs many pool swaps in one transaction, so that a month of market fits into seconds.
/// @notice Every swap pays from this contract's own holdings and sends what it buys to a made-up trader,
/// so that a list of swaps shows many accounts. Anything that cannot be done exactly reverts the whole batch.
contract DevMarket {
    /// @dev Uniswap's own bounds of a pool price, one step inside.
    uint160 private constant MIN_PRICE = 4295128740;
    uint160 private constant MAX_PRICE = 1461446703485210103287273052203988822378723970341;

    struct Pair {
        IERC20 token0;
        IERC20 token1;
    }

    address public immutable owner;
    address[] public pools;
    mapping(address => Pair) private pairOf;
    mapping(address => bool) public isMaker;

    error NotOwner(address caller);
    error NotMaker(address caller);
    error NotPool(address caller);
    error UnknownKind(uint256 word);
    error NothingToTrade(address pool, uint160 sqrtPriceX96);

    constructor() {
        owner = msg.sender;
    }

    /// @notice Appends pools, whose places in the list are the indexes used by `trade`, and allows makers.
    function setUp(address[] calldata newPools, address[] calldata makers) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        for (uint256 i = 0; i < newPools.length; i++) {
            IUniswapV3Pool pool = IUniswapV3Pool(newPools[i]);
            pairOf[newPools[i]] = Pair(IERC20(pool.token0()), IERC20(pool.token1()));
            pools.push(newPools[i]);
        }
        for (uint256 i = 0; i < makers.length; i++) isMaker[makers[i]] = true;
    }

    /// @notice Performs the trades in order.
    /// @param words one trade each, from the lowest bit: value (160 bits), pool index (16), trader id (32), kind (8).
    /// Kind 0: one swap until the pool's sqrtPriceX96 is exactly `value`.
    /// Kind 1: sells exactly `value` of token0 in its smallest unit, then buys back to the price it found: two swaps.
    /// Kind 2: the same with token1.
    function trade(uint256[] calldata words) external {
        if (!isMaker[msg.sender]) revert NotMaker(msg.sender);
        for (uint256 i = 0; i < words.length; i++) {
            uint256 word = words[i];
            uint160 value = uint160(word);
            IUniswapV3Pool pool = IUniswapV3Pool(pools[uint16(word >> 160)]);
            address trader = traderOf(uint32(word >> 176));
            uint256 kind = word >> 208;
            if (kind > 2) revert UnknownKind(word);
            if (kind == 0) {
                _swapTo(pool, trader, value);
            } else {
                uint160 priceBefore = _price(pool);
                bool zeroForOne = kind == 1;
                pool.swap(trader, zeroForOne, int256(uint256(value)), zeroForOne ? MIN_PRICE : MAX_PRICE, "");
                _swapTo(pool, trader, priceBefore);
            }
        }
    }

    /// @notice The account that receives what a trader buys. Nobody holds its key.
    function traderOf(uint32 traderId) public pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode("devnet trader", traderId)))));
    }

    /// @notice Called by a pool in the middle of a swap to be paid what it is owed.
    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        Pair memory pair = pairOf[msg.sender];
        if (address(pair.token0) == address(0)) revert NotPool(msg.sender);
        if (owed0 > 0) pair.token0.transfer(msg.sender, uint256(owed0));
        if (owed1 > 0) pair.token1.transfer(msg.sender, uint256(owed1));
    }

    /// @dev With this much to spend the pool stops nowhere but at the wanted price.
    function _swapTo(IUniswapV3Pool pool, address trader, uint160 wantedX96) private {
        uint160 foundX96 = _price(pool);
        if (foundX96 == wantedX96) revert NothingToTrade(address(pool), foundX96);
        pool.swap(trader, wantedX96 < foundX96, type(int256).max, wantedX96, "");
    }

    function _price(IUniswapV3Pool pool) private view returns (uint160 sqrtPriceX96) {
        (sqrtPriceX96,,,,,,) = pool.slot0();
    }
}
