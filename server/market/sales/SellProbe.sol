// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface IUniswapV3Pool {
    function token0() external view returns (address);
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// @title Buys a token out of a pool and sells it back, as far as the token can tell. Never deployed: `eth_call` runs the creation code,
/// and what would become the contract's code is the answer: outcome, amount taken, what arrived of it, what arrived back in the pool.
/// @notice The holder has no code, as a person has none; the pool sends the token by itself, in a flash loan; and the seller takes it
/// back to the pool by an allowance, as routers do. Everything is undone at the end.
contract SellProbe {
    constructor(IERC20 token, IUniswapV3Pool pool) {
        uint256 inPool = token.balanceOf(address(pool));
        uint256 amount = inPool / 1000;
        if (amount < 10_000) amount = inPool < 10_000 ? inPool : 10_000;
        Seller seller = new Seller(token, pool);
        // A token that refuses this refuses the sale, too.
        (bool isApproved,) = address(token).call{gas: 1_000_000}(abi.encodeCall(token.approve, (address(seller), amount)));
        isApproved;
        bytes memory answer = seller.run(amount);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

/// @title The pool's borrower, which sends the token back as a router does.
contract Seller {
    uint256 private constant UNKNOWN = 0;
    uint256 private constant NOT_TAKEN = 1;
    uint256 private constant NOT_SOLD = 2;
    uint256 private constant SOLD = 3;

    IERC20 private immutable token;
    IUniswapV3Pool private immutable pool;
    address private immutable holder;
    uint256 private wanted;

    error Ended(uint256 outcome, uint256 taken, uint256 received, uint256 returned);

    constructor(IERC20 token_, IUniswapV3Pool pool_) {
        token = token_;
        pool = pool_;
        holder = msg.sender;
    }

    /// @return answer four words: outcome, amount taken, received by the holder, returned to the pool
    function run(uint256 amount) external returns (bytes memory answer) {
        wanted = amount;
        bool isToken0 = pool.token0() == address(token);
        try pool.flash(holder, isToken0 ? amount : 0, isToken0 ? 0 : amount, "") {
            return abi.encode(UNKNOWN, amount, 0, 0);
        } catch (bytes memory reason) {
            if (bytes4(reason) == Ended.selector && reason.length == 132) return _withoutSelector(reason);
            // The pool's own word for a transfer that failed.
            bool isRefused = keccak256(reason) == keccak256(abi.encodeWithSignature("Error(string)", "TF"));
            return abi.encode(isRefused ? NOT_TAKEN : UNKNOWN, amount, 0, 0);
        }
    }

    /// @notice Called by the pool when it has sent the token, by whatever name its exchange gave that.
    fallback() external {
        uint256 received = token.balanceOf(holder);
        uint256 before = token.balanceOf(address(pool));
        uint256 amount = received < wanted ? received : wanted;
        (bool isDone, bytes memory answer) =
            address(token).call{gas: 3_000_000}(abi.encodeCall(token.transferFrom, (holder, address(pool), amount)));
        bool isSold = isDone && (answer.length == 0 || (answer.length >= 32 && bytes32(answer) != 0));
        if (!isSold) revert Ended(NOT_SOLD, wanted, received, 0);
        revert Ended(SOLD, wanted, received, token.balanceOf(address(pool)) - before);
    }

    function _withoutSelector(bytes memory reason) private pure returns (bytes memory words) {
        words = new bytes(128);
        for (uint256 i = 0; i < 128; i++) words[i] = reason[i + 4];
    }
}
