// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

interface IUniswapV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function slot0() external view returns (uint160 sqrtPriceX96, int24, uint16, uint16, uint16, uint8, bool);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data) external;
}

/// @title Attacks prices of pools: any calls in one transaction, paid from its own holdings or from a flash loan. For tests only.
/// @dev Warning: its callbacks pay any caller, so its holdings must be test money.
contract DevAttacker {
    struct Call {
        address to;
        bytes data;
    }

    /// @dev Uniswap's own bounds of a pool price, one step inside.
    uint160 private constant MIN_PRICE = 4295128740;
    uint160 private constant MAX_PRICE = 1461446703485210103287273052203988822378723970341;

    address public immutable owner;
    /// @notice Whether anybody may run calls: a vault for many wallets.
    bool public isOpen;

    error NotOwner(address caller);
    error CallFailed(uint256 place, bytes reason);

    constructor() {
        owner = msg.sender;
    }

    /// @notice Lets anybody run calls from now on.
    function open() external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        isOpen = true;
    }

    /// @notice Makes the calls in order. One that fails undoes all.
    function run(Call[] calldata calls) external {
        if (msg.sender != owner && !isOpen) revert NotOwner(msg.sender);
        for (uint256 i = 0; i < calls.length; i++) _call(i, calls[i].to, calls[i].data);
    }

    /// @notice Trades until the pool's sqrtPriceX96 is exactly `wantedX96`. Nothing when it is so already.
    function moveTo(IUniswapV3Pool pool, uint160 wantedX96) public {
        uint160 foundX96 = _price(pool);
        if (foundX96 != wantedX96) pool.swap(address(this), wantedX96 < foundX96, type(int256).max, wantedX96, "");
    }

    /// @notice Sells exactly `amount` of token0 (else of token1) and buys back to the price it found: two swaps each time.
    function thereAndBack(IUniswapV3Pool pool, bool sellsToken0, uint256 amount, uint256 times) external {
        for (uint256 i = 0; i < times; i++) {
            uint160 beforeX96 = _price(pool);
            pool.swap(address(this), sellsToken0, int256(amount), sellsToken0 ? MIN_PRICE : MAX_PRICE, "");
            moveTo(pool, beforeX96);
        }
    }

    /// @notice Hands over all that it holds of a token.
    function sendAll(IERC20 token, address to) external {
        if (msg.sender != address(this)) revert NotOwner(msg.sender);
        token.transfer(to, token.balanceOf(address(this)));
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        _pay(owed0 > 0 ? uint256(owed0) : 0, owed1 > 0 ? uint256(owed1) : 0);
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        _pay(owed0, owed1);
    }

    /// @param data the two amounts borrowed, and the calls to make with them
    function uniswapV3FlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
        (uint256 amount0, uint256 amount1, Call[] memory calls) = abi.decode(data, (uint256, uint256, Call[]));
        for (uint256 i = 0; i < calls.length; i++) _call(i, calls[i].to, calls[i].data);
        _pay(amount0 + fee0, amount1 + fee1);
    }

    function _call(uint256 place, address to, bytes memory data) private {
        (bool done, bytes memory reason) = to.call(data);
        if (!done) revert CallFailed(place, reason);
    }

    function _pay(uint256 amount0, uint256 amount1) private {
        IUniswapV3Pool pool = IUniswapV3Pool(msg.sender);
        if (amount0 > 0) IERC20(pool.token0()).transfer(msg.sender, amount0);
        if (amount1 > 0) IERC20(pool.token1()).transfer(msg.sender, amount1);
    }

    function _price(IUniswapV3Pool pool) private view returns (uint160 sqrtPriceX96) {
        (sqrtPriceX96,,,,,,) = pool.slot0();
    }
}
